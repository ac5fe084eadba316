"""Classes: teachers, students, assignments, hand-ins with certificates, and the teacher's view of what students do."""
