# Manifests of data sets (experiments/corpora/sets) and the digests of files. Sourced from the root of the project.

# listed MANIFEST PATTERN: prints path, git blob id and size (-: unknown) of each file whose path begins
# with PATTERN.
listed() {
    sed -n "s|^ *- {path: \($2[^,}]*\),.* blob: \([0-9a-f]*\)\(.*\)}\$|\1 \2\3|p" "$1" |
        awk '{ size = $3 == "bytes:" ? $4 + 0 : "-"; sub(/,$/, "", $2); print $1, $2, size }'
}

# blob FILE: prints the git blob id, the SHA-1 of "blob SIZE", a NUL byte and the content.
blob() {
    { printf 'blob %d\0' "$(stat -L -c %s "$1")" && cat "$1"; } | sha1sum | cut -c 1-40
}

# compared FOLDER: compares the files FOLDER/PATH with the lines of listed() on standard input. Prints a
# line for each file that differs, and "N present, N absent"; fails if a file differs.
compared() {
    present=0 absent=0 differ=0
    while read -r path id size; do
        file=$1/$path
        [ -e "$file" ] || { absent=$((absent + 1)) && continue; }
        present=$((present + 1))
        if [ "$size" = - ] || [ "$(stat -L -c %s "$file")" = "$size" ]; then
            [ "$(blob "$file")" != "$id" ] || continue
        fi
        echo "$path differs from the manifest"
        differ=$((differ + 1))
    done
    echo "$present present, $absent absent"
    [ $differ = 0 ]
}

# pinned_sources DATA FOLDER: extracts the sources of tatoeba-probing to FOLDER/raw, from an archive and
# the treebank in DATA. Prints the reason if DATA lacks one of them.
pinned_sources() {
    ewt=$(listed experiments/corpora/sets/tatoeba-probing.yaml raw/UniversalDependencies | sed 's/ .*//')
    for file in "$1/raw/pinned.tar.xz" "$1/pos/${ewt##*/}"; do
        [ -f "$file" ] || { echo "there is no $file" && return; }
    done
    mkdir -p "$2/${ewt%/*}"
    cp "$1/pos/${ewt##*/}" "$2/$ewt"
    tar -xJf "$1/raw/pinned.tar.xz" -C "$2/raw"
}
