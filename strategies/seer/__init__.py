"""Strategies for seer."""
