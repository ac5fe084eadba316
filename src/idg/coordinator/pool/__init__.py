"""The pool of engine workers: jobs, the fair queue, the processes, and what they compute."""
