#!/usr/bin/env python3
"""Runs a scene of bench/step in MuJoCo, with its default settings but for elliptic friction cones.

usage: mujoco_peer.py --version                     the version, or exit code 1 where there is no MuJoCo
       mujoco_peer.py --check SCENE.json            makes the world and prints: bodies, degrees of freedom, geoms
       mujoco_peer.py SCENE.json POSES STEPS SECONDS
           at most so many steps and seconds of the wall. Prints the processor time of each step in ms, one a line; POSES
           gets position and quaternion (w x y z) of each body after each step, doubles as they are in memory.
"""

import json
import sys
import time

try:
    import mujoco
    import numpy as np
except ImportError as error:
    sys.exit(f"mujoco_peer.py: {error}")


def conjugate(q):
    return np.array([q[0], -q[1], -q[2], -q[3]])


def product(a, b):
    out = np.zeros(4)
    mujoco.mju_mulQuat(out, np.asarray(a, float), np.asarray(b, float))
    return out


def rotated(q, x):
    out = np.zeros(3)
    mujoco.mju_rotVecQuat(out, np.asarray(x, float), np.asarray(q, float))
    return out


def add_geom(owner, scene, body):
    kinds = {
        "sphere": (mujoco.mjtGeom.mjGEOM_SPHERE, lambda s: [s[0], 0, 0]),
        "box": (mujoco.mjtGeom.mjGEOM_BOX, lambda s: [x / 2 for x in s]),
        "capsule": (mujoco.mjtGeom.mjGEOM_CAPSULE, lambda s: [s[0], s[1] / 2, 0]),
        "cylinder": (mujoco.mjtGeom.mjGEOM_CYLINDER, lambda s: [s[0], s[1] / 2, 0]),
    }
    kind, size = kinds[body["shape"]]
    touches = 1 if scene["collide"] else 0
    owner.add_geom(type=kind, size=size(body["size"]), mass=body["mass"], friction=[scene["mu"], 0.005, 0.0001],
                   contype=touches, conaffinity=touches)


def add_plane(spec, scene, plane):
    normal, q = np.array(plane["normal"], float), np.zeros(4)
    mujoco.mju_quatZ2Vec(q, normal)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], pos=normal * plane["offset"], quat=q,
                            friction=[scene["mu"], 0.005, 0.0001])


def make_spec(scene):
    """Joints make a tree, in MuJoCo's own way: a joined body is a child of its partner. Returns also the bodies."""
    spec = mujoco.MjSpec()
    spec.option.timestep = scene["h"]
    spec.option.gravity = scene["gravity"]
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    for plane in scene["planes"]:
        add_plane(spec, scene, plane)
    joints = {joint["body"]: joint for joint in scene["joints"]}
    made = []
    for i, body in enumerate(scene["bodies"]):
        joint, x, q = joints.get(i), np.array(body["position"], float), np.array(body["orientation"], float)
        parent, pos, quat = spec.worldbody, x, q
        if joint and joint["partner"] >= 0:
            other = scene["bodies"][joint["partner"]]
            back = conjugate(other["orientation"])
            parent = made[joint["partner"]]
            pos, quat = rotated(back, x - np.array(other["position"])), product(back, q)
        own = parent.add_body(name=f"b{i}", pos=pos, quat=quat)
        if joint is None:
            own.add_freejoint()
        else:
            hinge = joint["kind"] == "hinge"
            own.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE if hinge else mujoco.mjtJoint.mjJNT_BALL,
                          pos=rotated(conjugate(q), np.array(joint["anchor"]) - x),
                          axis=rotated(conjugate(q), joint["axis"]))
        add_geom(own, scene, body)
        made.append(own)
    return spec


def make_world(scene):
    """Joined bodies start with the velocity of the body at the root of their tree."""
    model = make_spec(scene).compile()
    data = mujoco.MjData(model)
    ids = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f"b{i}") for i in range(len(scene["bodies"]))]
    for i, body in enumerate(scene["bodies"]):
        first = model.body_jntadr[ids[i]]
        if model.jnt_type[first] != mujoco.mjtJoint.mjJNT_FREE:
            continue
        at = model.jnt_dofadr[first]
        data.qvel[at:at + 3] = body["velocity"]
        data.qvel[at + 3:at + 6] = rotated(conjugate(body["orientation"]), body["angular_velocity"])
    return model, data, ids


def main():
    if sys.argv[1:] == ["--version"]:
        print(mujoco.__version__)
        return
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        with open(sys.argv[2], encoding="utf-8") as file:
            model, _, _ = make_world(json.load(file))
        print(model.nbody - 1, model.nv, model.ngeom)
        return
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        model, data, ids = make_world(json.load(file))
    steps, seconds = int(sys.argv[3]), float(sys.argv[4])
    start = time.monotonic()
    with open(sys.argv[2], "wb") as poses:
        for k in range(steps):
            if k > 1 and time.monotonic() - start > seconds:
                break
            before = time.thread_time_ns()
            mujoco.mj_step(model, data)
            print((time.thread_time_ns() - before) * 1e-6)
            # mj_step leaves xpos where the step began.
            mujoco.mj_kinematics(model, data)
            np.hstack([data.xpos[ids], data.xquat[ids]]).astype(np.float64).tofile(poses)


main()
