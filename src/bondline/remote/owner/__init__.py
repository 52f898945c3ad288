"""The owner's side: models, sessions, and who answers what."""
