"""What an owner grants, counts and writes down."""
