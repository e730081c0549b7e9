"""A server of files with the faults of real ones, for tests/cli/corpus_get.sh.

    server.py FOLDER LOG > PORT

A path is HOW/PATH, a file of FOLDER and how it is sent. LOG has a line per request: connection, path,
Range. The first time is that of a path with "large" in it; other paths are sent as by ok. HOW:
  ok        as it is, with ranges             whole     the same, but ranges are ignored
  short     half of it, as if it were all     broken    half of it the first time, then the connection ends
  stall     half of it the first time, then nothing until the client leaves
  busy      503 the first time                login     a redirect to a page
  file      a redirect to file:///            forbidden 403
  secret    401 without the user "me" and the password "p w"
"""
import http.server
import os
import re
import sys

folder, log = sys.argv[1:]
seen = set()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def answer(self, status, body, headers=(), sent=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if sent is None else body[:sent])

    def do_GET(self):
        path = re.sub("^http://[^/]*", "", self.path)  # of a proxy
        begin = self.headers.get("Range", "")
        with open(log, "a") as out:
            print(self.client_address[1], path, begin, file=out)
        _, how, name = (path.split("/", 2) + ["", ""])[:3]
        first = path not in seen and "large" in path
        seen.add(path)
        if how == "page":
            return self.answer(200, b"\n<!DOCTYPE html><title>Sign in</title>\n")
        if how == "login":
            return self.answer(302, b"", [("Location", "/page")])
        if how == "file":
            return self.answer(302, b"", [("Location", "file://" + os.path.abspath(log))])
        if how == "secret" and self.headers.get("Authorization") != "Basic bWU6cCB3":
            return self.answer(401, b"who?\n")
        if how == "forbidden":
            return self.answer(403, b"no\n")
        if how == "busy" and first:
            return self.answer(503, b"later\n")
        try:
            with open(os.path.join(folder, name), "rb") as file:
                body = file.read()
        except OSError:
            return self.answer(404, b"there is none\n")
        if how == "short":
            return self.answer(200, body[:len(body) // 2])
        if how in ("broken", "stall") and first:
            self.answer(200, body, sent=len(body) // 2)
            self.wfile.flush()
            self.close_connection = True
            return self.rfile.read(1) if how == "stall" else None
        if begin and how != "whole":
            start = int(re.match(r"bytes=(\d+)-", begin).group(1))
            if start >= len(body):
                return self.answer(416, b"")
            return self.answer(206, body[start:], [("Content-Range", "bytes %d-%d/%d" % (
                start, len(body) - 1, len(body)))])
        return self.answer(200, body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
server.handle_error = lambda *_: None  # a client that left
print(server.server_port, flush=True)
server.serve_forever()
