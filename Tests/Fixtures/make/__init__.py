"""Modules behind make_fixtures.py: everything here draws, computes or writes bytes by hand."""
