# What all figures have in common. Text comes from text.dat, which is read and never executed.
set encoding utf8
set datafile separator "\t"
set datafile commentschars ''
set datafile missing '?'
array T[texts]
stats 'text.dat' using (T[int($0) + 1] = strcol(1), 0) nooutput

set border lw 0.6
set tics nomirror scale 0.5
set format '%g'
set grid y lw 0.4 lc rgb '#d0d0d0' dt 1
set key tmargin left Left reverse samplen 1.8 spacing 1.0 height 0.2
set xlabel offset 0,0.3

# Distinguishable without color: by lightness and by point, which repeat out of step. No point is
# hollow: a PNG's thick lines would fill it. The cross is thin, so it is larger.
dark = '#1a1a1a'
line = '#8c2d5a'
array colors[5] = ['#12336b', '#ef9b20', '#2f8f6b', '#8c2d5a', '#8a8a8a']
array points[6] = [7, 5, 9, 13, 11, 2]
array dashes[4] = [2, 3, 4, 5]
color(i) = colors[(i - 1) % 5 + 1]
point(i) = points[(i - 1) % 6 + 1]
bulk(i) = point(i) == 2 ? 1.4 : 1
dash(i) = dashes[(i - 1) % 4 + 1]

# Names in columns above the data, small: line and point, then the text. Series after the first
# `solid` ones are dotted, after the first `pointed` ones they have no points, each of these with a
# pattern of its own; number `marked` is dashed and gray. legend_..: names.h
small = dot > 1 ? ',11' : ',5.5'
if (!exists('solid')) { solid = pointed = 1000 }
if (!exists('marked')) { marked = 0 }
page_width = 1.0 * page_width
page_height = 1.0 * page_height
set dashtype 6 (24, 6)
array bare[5] = [3, 2, 4, 6, 5]
dots(i) = i == marked ? 2 : i <= solid ? 1 : i <= pointed ? 3 : bare[(i - pointed - 1) % 5 + 1]
if (!exists('dashed')) { dashed = 0 }
sort(i) = dashed && i > 1 ? dash(i - 1) : dots(i)
# An empty loop is looked at once, behind the last name.
named(i) = i > series ? '' : T[row + i - 1]
hue(i) = i == marked ? '#8a8a8a' : i == solid + 1 ? dark : color(i)
if (legend) {
    unset key
    set tmargin at screen 1 - legend_above / page_height
    do for [i = 1:series] {
        x = 30 + legend_cell * int((i - 1) / legend)
        y = 1 - (13 + 14.0 * ((i - 1) % legend)) / page_height
        if (!exists('lineless') || i == marked) {
            set arrow from screen x / page_width, y to screen (x + 26) / page_width, y nohead \
                lw 1.2 lc rgb hue(i) dt sort(i)
        }
        if (i <= pointed) {
            set label '' at screen (x + 13) / page_width, y point pt point(i) \
                ps 0.4 * dot * bulk(i) lc rgb hue(i)
        }
        set label T[legend_text + i] at screen (x + 32) / page_width, y left font small
    }
}

# Names beside the data, when bars lie; the numbers' tics below have room to stand side by side.
if (lying) { set lmargin at screen lying / page_width }
labels(low, high, step) = 8.0 * strlen(sprintf('%g', high)) > 8.0 * strlen(sprintf('%g', low + step)) \
    ? 8.0 * strlen(sprintf('%g', high)) + 14 : 8.0 * strlen(sprintf('%g', low + step)) + 14
sparse(low, high, step) = step * ceil(((high - low) / step + 1) * labels(low, high, step) \
    / (page_width - lying - 30.0))
