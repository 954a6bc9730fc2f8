# Bookworm in a container: one image for the service and its workers.
#
#   docker build -t bookworm .                                        CPU
#   docker build -t bookworm:gpu --build-arg GPU=1 \
#                --build-arg TORCH_INDEX=<index with CUDA wheels> .   NVIDIA GPU
#
# TORCH_INDEX says where torch comes from, when pip's own index does not offer the build you want.

ARG PYTHON=3.12-slim

FROM python:${PYTHON} AS build
ARG GPU=0
ARG TORCH_INDEX=
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/bookworm
ENV PATH=/opt/bookworm/bin:$PATH
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./

# Torch first, in a layer of its own: it is most of the image and changes least.
RUN torch="$(python -c 'import tomllib; print(next(d for d in tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"] if d.startswith("torch==")))')" \
 && pip install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "$torch"

COPY books books
COPY coref coref
COPY retrieval retrieval
COPY generation generation
COPY evaluation evaluation
COPY db db
COPY service service
COPY migrations migrations
RUN pip install ".[evaluate,postgres,s3,otel]"

# faiss-gpu and faiss-cpu own the same files: the one goes before the other comes.
RUN if [ "$GPU" = 1 ]; then \
      pip uninstall --yes faiss-cpu \
   && pip install ".[gpu]" && pip uninstall --yes faiss-cpu && pip install --force-reinstall --no-deps faiss-gpu \
   && python -c 'import torch; assert torch.version.cuda, "this torch is a CPU build: give TORCH_INDEX"'; \
    fi

FROM python:${PYTHON}
RUN useradd --system --uid 10001 --create-home --home-dir /home/bookworm bookworm \
 && install --directory --owner bookworm /data
COPY --from=build /opt/bookworm /opt/bookworm
ENV PATH=/opt/bookworm/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    OMP_WAIT_POLICY=PASSIVE \
    GOMP_SPINCOUNT=0 \
    BOOKWORM_DATA_DIR=/data
USER bookworm
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/livez', timeout=4)"]
ENTRYPOINT ["bookworm"]
CMD ["serve", "--host", "0.0.0.0"]
