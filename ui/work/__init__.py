"""Heavy work: its queue, and the trainings that several pages show."""
