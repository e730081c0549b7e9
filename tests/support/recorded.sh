# Makes the text of tests/runs/grid.yaml with the generator of Park and Miller (1988), which is exact in
# every awk.
# shellcheck shell=sh

# recorded_text FOLDER: writes train and dev, each in two languages.
recorded_text() {
    recorded_split "$1/train" 200 1
    recorded_split "$1/dev" 20 2
}

# recorded_split STEM LINES SEED
recorded_split() {
    awk -v file="$1" -v lines="$2" -v seed="$3" '
        function below(bound) { seed = seed * 16807 % 2147483647; return seed % bound }
        BEGIN {
            for (i = 0; i < lines; i++) {
                n = 2 + below(4); a = b = ""
                for (j = 0; j < n; j++) { w = below(12); a = a " s" w; b = b " t" w }
                print substr(a, 2) > (file ".a"); print substr(b, 2) > (file ".b")
            }
        }'
}
