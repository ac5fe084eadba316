"""LTI 1.3: classes inside of learning platforms such as Moodle and Canvas. Nothing here is imported where `idg[lti]` is missing."""
