"""Sends forms with a Python HTTP client.

    send.py requests|httpx < forms.json

Reads a JSON array of forms (see contract.ts) and prints a JSON array of {status, text}.
"""

import json
import os
import sys

LIMIT_SECONDS = 120


def parts_of(form, file):
    """The parts in the order of the form. A text field is a part without a file name."""
    texts = [(name, (None, value)) for name, value in form["fields"]]
    video = (form["file"]["name"], (os.path.basename(form["file"]["path"]), file, "video/mp4"))
    return texts[: form["before"]] + [video] + texts[form["before"] :]


def senders():
    if sys.argv[1] == "requests":
        import requests

        session = requests.Session()
        session.trust_env = False
        return lambda form, parts: session.post(
            form["url"], headers=form["headers"], files=parts, timeout=LIMIT_SECONDS
        )
    import httpx

    client = httpx.Client(trust_env=False, timeout=LIMIT_SECONDS)
    return lambda form, parts: client.post(form["url"], headers=form["headers"], files=parts)


def main():
    send = senders()
    sent = []
    for form in json.load(sys.stdin):
        with open(form["file"]["path"], "rb") as file:
            response = send(form, parts_of(form, file))
        sent.append({"status": response.status_code, "text": response.text})
    json.dump(sent, sys.stdout)


main()
