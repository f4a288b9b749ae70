"""Strategies for dino."""
