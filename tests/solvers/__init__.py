"""Third-party solvers as leaves: each test really runs one."""
