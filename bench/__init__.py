"""Benchmarks as commands; `make bench` runs them all and writes docs/benchmarks.md."""
