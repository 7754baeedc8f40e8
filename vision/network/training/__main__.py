"""Train on made-up pictures: python -m vision.network.training pair|covered|search [--minutes 70] [--onwards] [--home build/train]"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import torch

from vision.network.model import HOME
from vision.network.training.learning import learn
from vision.network.training.lessons import LESSONS


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the networks of the eyes on made-up pictures.")
    parser.add_argument("lesson", choices=LESSONS)
    parser.add_argument(
        "--minutes", type=float, default=70, help="training time in all, earlier calls included"
    )
    parser.add_argument("--home", type=Path, default=Path("build/train"), help="checkpoints and log")
    parser.add_argument("--weights", type=Path, default=HOME, help="folder for the weights that reading uses")
    parser.add_argument(
        "--onwards", action="store_true", help="where no checkpoint is: begin with the weights that read now"
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    learn(options.lesson, options.minutes, options.home, options.weights, options.onwards)


if __name__ == "__main__":
    main()
