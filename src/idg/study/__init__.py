"""The study kit: what a study is, who and what counts in it, its figures, and its report."""
