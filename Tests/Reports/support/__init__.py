"""What the cases of public reports share."""
