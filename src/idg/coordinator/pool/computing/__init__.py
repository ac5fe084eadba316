"""What workers compute: the calls, what they are asked with, and what they answer."""
