"""The interface behind which other provers can be compared with ours."""
