"""What Tondo is compared with: nginx with the face as a file, thumbor with its stored result."""
import os
import shutil
import sys
import time
from pathlib import Path

from service import Process, free_port, get

NGINX = """worker_processes 1;
daemon off;
user {user};
pid {folder}/pid;
error_log {folder}/log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    sendfile on;
    keepalive_timeout 75;
    keepalive_requests 100000000;
    types {{ image/png png; }}
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{ listen 127.0.0.1:{port}; root {folder}/root; }}
}}
"""

THUMBOR = """LOADER = 'thumbor.loaders.file_loader'
FILE_LOADER_ROOT_PATH = '{folder}/root'
STORAGE = 'thumbor.storages.no_storage'
RESULT_STORAGE = 'thumbor.result_storages.file_storage'
RESULT_STORAGE_FILE_STORAGE_ROOT_PATH = '{folder}/results'
RESULT_STORAGE_STORES_UNSAFE = True
ALLOW_UNSAFE_URL = True
"""


class Peer:
    def __init__(self, process, port, path):
        self.process, self.port, self.path = process, port, path

    def wait(self):
        """Until it answers; the bytes it gives for a face."""
        for _ in range(100):
            try:
                status, _, body = get(self.port, self.path)
            except OSError:
                time.sleep(0.1)
                continue
            if status == 200:
                return len(body)
            break
        return None


def find(name):
    """In the path, where Debian has what serves, and beside the Python that runs this."""
    places = [os.environ.get("PATH", ""), "/usr/sbin", str(Path(sys.executable).parent)]
    return shutil.which(name, path=os.pathsep.join(places))


def nginx(folder, face):
    program = find("nginx")
    if not program:
        return None
    (folder / "root").mkdir(parents=True)
    (folder / "root/face.png").write_bytes(face)
    port = free_port()
    user = "root" if os.geteuid() == 0 else "nobody"
    (folder / "conf").write_text(NGINX.format(folder=folder, port=port, user=user))
    with open(folder / "output", "wb") as output:
        process = Process([program, "-p", folder, "-e", folder / "log", "-c", folder / "conf"], stdout=output,
                          stderr=output)
    return Peer(process, port, "/face.png")


def thumbor(folder, photo, side, program=None):
    """Round, as PNG, in the size that gives Tondo's face."""
    program = program or find("thumbor")
    if not program:
        return None
    (folder / "root").mkdir(parents=True)
    (folder / "root/photo.jpg").write_bytes(photo)
    (folder / "conf").write_text(THUMBOR.format(folder=folder))
    port = free_port()
    with open(folder / "output", "wb") as output:
        process = Process([program, "-p", port, "-i", "127.0.0.1", "-c", folder / "conf", "-l", "error"], stdout=output,
                          stderr=output)
    filters = f"filters:round_corner({side // 2},255,255,255,1):format(png)"
    return Peer(process, port, f"/unsafe/{side}x{side}/{filters}/photo.jpg")
