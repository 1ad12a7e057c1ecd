"""Callbacks for training libraries, each a module of its own: it imports its library, the client does not."""
