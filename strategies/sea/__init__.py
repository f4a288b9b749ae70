"""Strategies that play sea."""
