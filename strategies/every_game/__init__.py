"""Strategies that play any game."""
