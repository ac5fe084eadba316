"""Engine nodes: processes that take requests and compute them."""
