"""`python -m index.sample`: make the vectors of the notes again, after a note was changed."""

from pathlib import Path

from index.sample.library import save_vectors

if __name__ == "__main__":
    print(f"{save_vectors(Path(__file__).parent)} notes embedded.")
