"""Work in several processes.

Processes are forked and inherit the tasks: nothing but answers has to be pickled, and no state is
global. A results file that is open for reading can be read on in each of them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def run_forked(
    tasks: Sequence[Callable[[], Answer]],
    progress: Callable[[int], None] = lambda n_done: None,
    n_processes: int | None = None,
) -> list[Answer]:
    """Answers of the tasks, in their order; `progress` hears how many are done.

    An exception of a task is raised here, and ends all processes. So does a process that dies.
    """
    n_processes = min(n_processes or len(os.sched_getaffinity(0)), len(tasks))
    context = multiprocessing.get_context("fork")
    processes = []
    idle: list[Connection] = []
    try:
        for _ in range(n_processes):
            ours, theirs = context.Pipe()
            idle.append(ours)
            process = context.Process(target=_serve, args=(tasks, theirs, idle), daemon=True)
            process.start()
            processes.append(process)
            theirs.close()  # the death of the process now closes the pipe
        return _hand_out(len(tasks), idle, progress)
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _serve(
    tasks: Sequence[Callable[[], Any]], connection: Connection, of_parent: Sequence[Connection]
) -> None:
    for inherited in of_parent:
        inherited.close()  # the death of the parent now closes the pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, too, and ends this one
    while True:
        try:
            task = tasks[connection.recv()]
        except EOFError:
            return
        try:
            connection.send((task(), None, ""))
        except Exception as error:
            connection.send((None, error, traceback.format_exc()))


def _hand_out(
    n_tasks: int, idle: list[Connection], progress: Callable[[int], None]
) -> list[Any]:
    answers: dict[int, Any] = {}
    working: dict[Connection, int] = {}
    ahead = iter(range(n_tasks))
    while len(answers) < n_tasks:
        for connection, index in zip(idle, ahead):
            connection.send(index)
            working[connection] = index
        ready = wait(list(working))
        idle = [connection for connection in working if connection in ready]
        for connection in idle:
            answers[working.pop(connection)] = _receive(connection)
        progress(len(answers))
    return [answers[index] for index in range(n_tasks)]


def _receive(connection: Connection) -> Any:
    try:
        answer, error, trace = connection.recv()
    except EOFError:
        raise ChildProcessError(
            "a process of the report died (killed, or out of memory); try again"
        ) from None
    if error is not None:
        raise error from RuntimeError(trace)
    return answer
