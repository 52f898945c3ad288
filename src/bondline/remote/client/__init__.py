"""The integrator's side: a model that is elsewhere, as a `Subsystem`."""
