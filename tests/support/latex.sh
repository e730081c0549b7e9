# Compiles tables in an article with two columns. Sourced from the root of the project, after tap.sh.
# shellcheck shell=sh

# latex_fits WHAT FOLDER: passes if the tables FOLDER/*.tex compile in one article. It has the packages that the
# tables name. No table may be wider or higher than its column or page. Without pdflatex the test is skipped.
latex_fits() {
    if ! command -v pdflatex > /dev/null; then
        skipped "$1" "there is no pdflatex (Debian: texlive-latex-recommended)"
        return
    fi
    {
        printf '%s\n' '\documentclass[twocolumn]{article}'
        cat "$2"/*.tex | sed -n 's/^% \(\\usepackage.*\)/\1/p' | sort -u
        printf '%s\n' '\begin{document}'
        for file in "$2"/*.tex; do
            printf '\\typeout{TABLE %s}\\input{%s}\\clearpage\n' "${file##*/}" "${file##*/}"
        done
        printf '%s\n' '\end{document}'
    } > "$2/article.latex"
    code=0 status=1
    (cd "$2" && max_print_line=1000 pdflatex -halt-on-error -interaction=batchmode article.latex > /dev/null < /dev/null) ||
        code=$?
    output=$(awk '/^TABLE / { table = $2 } /^!|Overfull|Float too large/ { print table ": " $0 }' "$2/article.log")
    [ $code = 0 ] && [ -z "$output" ] && status=0
    ok "$1" $status
}
