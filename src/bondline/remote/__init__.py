"""Models that stay with their owners: served, authorised and audited."""
