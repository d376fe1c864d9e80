"""Tests of the services papers come from."""
