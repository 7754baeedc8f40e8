"""Written weights taken up again: training goes on from what reads, though its checkpoints are gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor, nn


def take_up(network: nn.Module, path: Path) -> None:
    """Give a network the weights of an ONNX file that was exported from one like it; OSError if it cannot be read, ValueError if it is
    another network.

    In the file every normalisation has become one with the convolution before it, so here it changes nothing until `accustom` is called.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    values = {
        tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer
    }
    written = [node.input[1:3] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    if len(written) != len(layers):
        raise ValueError(f"{path} holds {len(written)} layers, the network has {len(layers)}")
    norms = dict(_normalised(network))
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, written, strict=True):
            if layer.weight.shape != values[weight].shape:
                raise ValueError(f"{path}: {weight} has the shape of no layer here")
            layer.weight.copy_(values[weight])
            norm = norms.get(layer)
            if norm is None:
                assert layer.bias is not None
                layer.bias.copy_(values[bias])
            else:
                assert norm.running_mean is not None and norm.running_var is not None
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                norm.weight.fill_(1)
                norm.bias.copy_(values[bias])


def accustom(network: nn.Module, run: Callable[[], object]) -> None:
    """Give normalisations the mean and spread of what they meet when ``run`` runs the network, without changing what it answers: then it can
    be trained."""
    sums: dict[nn.BatchNorm2d, list[Tensor]] = {}
    hooks = []
    for layer, norm in _normalised(network):
        sums[norm] = []

        def noted(_layer: nn.Module, _inputs: object, maps: Tensor, found: list[Tensor] = sums[norm]) -> None:
            flat = maps.detach().float().transpose(0, 1).flatten(1)
            found.append(torch.stack([flat.mean(1), (flat * flat).mean(1)]))

        hooks.append(layer.register_forward_hook(noted))
    was = network.training
    network.eval()
    with torch.no_grad():
        run()
        for norm, found in sums.items():
            assert norm.running_mean is not None and norm.running_var is not None
            mean, square = torch.stack(found).mean(0)
            spread = (square - mean * mean).clamp(min=1e-4)
            factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            norm.bias.add_(factor * (mean - norm.running_mean))
            norm.weight.copy_(factor * torch.sqrt(spread + norm.eps))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
    for hook in hooks:
        hook.remove()
    network.train(was)


def _normalised(network: nn.Module) -> Iterator[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Convolutions with the normalisation behind each."""
    for block in network.modules():
        if isinstance(block, nn.Sequential):
            for layer, norm in zip(block, list(block)[1:], strict=False):
                if isinstance(layer, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                    yield layer, norm
