"""The nonlinear finite-element leaf."""
