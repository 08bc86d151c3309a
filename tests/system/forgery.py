"""Files with a good seal that no mixlab wrote: what a checksum cannot tell."""
import ctypes
import ctypes.util
import shutil
from pathlib import Path

import h5py
import numpy as np

SEAL_SIZE = 512


class Digest(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def checksum(data):
    """XXH3-128, as FORMAT.md has it."""
    library = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
    library.XXH3_128bits.restype = Digest
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    digest = library.XXH3_128bits(data, len(data))
    return f"{digest.high:016x}{digest.low:016x}"


def seal_of(image, version=2):
    """The seal: behind the image, of version 1 before it."""
    return f"mixlab sealed file {version}\nxxh3-128 {checksum(image)}\nbytes {len(image)}\n".encode().ljust(
        SEAL_SIZE, b"\0")


def sealed(image):
    """The image with the seal behind it."""
    return image + seal_of(image)


def forge(path, change):
    """Let `change(file)` change the HDF5 inside a sealed file, and seal it again."""
    path = Path(path)
    image = path.with_name(path.name + ".image")
    image.write_bytes(path.read_bytes()[:-SEAL_SIZE])
    with h5py.File(image, "r+") as file:
        change(file)
    path.unlink()  # another inode, as a file of somebody else would have
    path.write_bytes(sealed(image.read_bytes()))
    image.unlink()


def replace(file, name, **how):
    """Make a variable anew, with its attributes but those that tie it to dimensions; `how` is for create_dataset."""
    old = file[name]
    attributes = {key: value for key, value in old.attrs.items()
                  if key not in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME")}
    scales = [dimension[0].name if len(dimension) else None for dimension in old.dims]
    is_scale = h5py.h5ds.is_scale(old.id)
    how.setdefault("data", old[()] if "shape" not in how else None)
    del file[name]
    new = file.create_dataset(name, **how)
    new.attrs.update(attributes)
    if is_scale:
        new.make_scale(name)
    for axis, scale in enumerate(scales):
        if scale and not is_scale and scale in file and axis < new.ndim and file[scale].shape[0] == new.shape[axis]:
            new.dims[axis].attach_scale(file[scale])
    return new


def columns_over(file, dimension):
    """Variables over a dimension, the dimension itself left out."""
    return [name for name, data in file.items()
            if name != dimension and any(len(axis) and axis[0].name == f"/{dimension}" for axis in data.dims)]


def drop(dimension, keep):
    """A change that keeps only the first `keep` entries along a dimension."""
    def change(file):
        over = columns_over(file, dimension)
        shorter = {}
        for name in over:
            axis = next(i for i, dims in enumerate(file[name].dims) if len(dims) and dims[0].name == f"/{dimension}")
            shorter[name] = np.take(file[name][()], range(keep), axis=axis)
        coordinates = file[dimension][:keep]
        for name in over:
            dims = [axis[0].name for axis in file[name].dims]
            kind = file[name].dtype
            del file[name]
            file.create_dataset(name, data=shorter[name], dtype=kind)
            shorter[name] = dims
        kind = file[dimension].dtype
        del file[dimension]
        file.create_dataset(dimension, data=coordinates, dtype=kind).make_scale(dimension)
        for name, dims in shorter.items():
            for axis, scale in enumerate(dims):
                file[name].dims[axis].attach_scale(file[scale])
    return change


def write(name, at, value):
    """A change of one value."""
    def change(file):
        file[name][at] = value
    return change


def copy_folder(source, target):
    if Path(target).exists():
        shutil.rmtree(target)
    shutil.copytree(source, target)
