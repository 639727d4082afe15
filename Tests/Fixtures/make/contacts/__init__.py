"""The books of contacts/, a module for some of its folders each."""
