"""The artifacts of a release: archives, images, bills of materials and provenance."""
