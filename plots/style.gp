# Common parts of all figures: texts, the page, the legend, tics, colors. Text comes from text.dat,
# which is read and never executed; its second column is the coordinate of a tic.
set encoding utf8
set datafile separator "\t"
set datafile commentschars ''
set datafile missing '?'
array T[texts]
array X[texts]
stats 'text.dat' using (T[int($0) + 1] = strcol(1), X[int($0) + 1] = $2, 0) nooutput

# ---- Text: its width in letter heights, rounded up, for DejaVu Sans; its lines. ----
broad = 'ABCDEFGHKLNPRSTUVXYZ'
usual = 'abcdeghknopqsuvxyz0123456789$*?"`'
narrow = "fIrtJ,.;:'|!()[]{}/\\ -"
letter(c) = strstrt('ijl', c) ? 0.28 : strstrt(narrow, c) ? 0.42 : strstrt(usual, c) ? 0.64 \
    : strstrt(broad, c) ? 0.79 : 1
wide(s) = strlen(s) ? (sum [k = 1:strlen(s)] letter(s[k:k])) : 0
find(s, c, k) = k > strlen(s) ? 0 : s[k:k] eq c ? k : find(s, c, k + 1)
back(s, k) = k < 1 ? 0 : s[k:k] eq ' ' ? k : back(s, k - 1)
gap(s, most) = back(s, most + 1) ? back(s, most + 1) : find(s, ' ', most + 2)
head(s, c) = s[1:find(s, c, 1) - 1]
tail(s, c) = s[find(s, c, 1) + 1:*]
# Breaks a text at blanks into lines of at most this many letters.
wrap(s, most) = strlen(s) <= most || !gap(s, most) ? s \
    : s[1:gap(s, most) - 1]."\n".wrap(s[gap(s, most) + 1:*], most)
lines_in(s) = s eq '' || s eq ' ' ? 0 : find(s, "\n", 1) ? 1 + lines_in(tail(s, "\n")) : 1
fits_line(s, most, room) = strlen(s) <= most + (most < 6 ? 0 : 2) && 13 * wide(s) <= room
fits(s, most, room) = find(s, "\n", 1) \
    ? fits_line(head(s, "\n"), most, room) && fits(tail(s, "\n"), most, room) \
    : fits_line(s, most, room)
# Escapes a percent sign, which gnuplot interprets as a format in a tic's text.
tic(s) = find(s, '%', 1) ? head(s, '%').'%%'.tic(tail(s, '%')) : s
larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b
# Number of lines for `n` texts of width `each` in a room; `n` + 4 if no text fits.
in_lines(n, room, each) = each <= room ? ceil(1.0 * n / int(room / each)) : n + 4

# ---- The page, in pixels: as wide as a paper's column, 8.4 cm, or as its text, 17.4 cm. Text around
# the data never takes more than half of its height. ----
slim = 480.0
paper = 994.0
page_width = slim
page_height = 320.0
around = 0
if (!exists('series')) { series = 0 }
if (!exists('tics')) { tics = 0 }
if (!exists('panels')) { panels = 0 }
if (!exists('blocks')) { blocks = 0 }
if (!exists('lineless')) { lineless = 0 }
if (!exists('direct')) { direct = 0 }
if (!exists('untrained')) { untrained = 0 }
if (!exists('cells')) { cells = 0 }
if (!exists('right')) { right = 0 }
beside = panels == 4 ? 2 : panels ? smaller(panels, 3) : 1
letters = lineless ? 11 : 13
if (!exists('lies')) { lies = 0 }
if (!exists('scaled')) { scaled = 0 }

# The legend: gnuplot's own if it has few lines, otherwise columns of small names above the data. More
# than eight lines have their names at their right ends (`direct`). A heat map has none.
most = 0
do for [i = 1:series] { most = larger(most, wide(T[row + i - 1])) }
legend = in_lines(series, slim - 120, most * letters + 44)
key_columns = larger(1, int((slim - 120) / (most * letters + 44)))
right_room = 0
legend_above = 0
if (direct || cells || (panels && series < 2)) {
    legend = 0
    # Room of the lines to the names. Steep lines would cover each other.
    gutter = 12 + 2.0 * series
    right_room = direct ? gutter + 40 + most * 11 : cells ? 92 : 0
    if (direct) { page_width = paper }
    page_height = larger(page_height, cells ? 26.0 * series + 140 : 0)
} else { if (legend <= 4 && !panels) {
    around = around + 20 * legend
    legend = 0
} else {
    columns = ceil(1.0 * series / in_lines(series, paper - 60, most * 11 + 44))
    legend = ceil(1.0 * series / columns)
    legend_cell = (paper - 60) / columns
    legend_above = 14.0 * (legend + 1)
    page_width = paper
    page_height = larger(page_height, 320 + legend_above)
    around = around + legend_above
} }
row_names = cells ? most * 11 + 22 : 0
if (panels) { page_width = paper }
# Room at the right of frames for the numbers of a second axis, which are above if names are in the margin.
numbers_right = panels && right ? 60 : 0
# Width of a frame, without the room for the numbers of its axes.
inner(width) = (width - (cells ? 28 : 120) - row_names - right_room - numbers_right) / beside - (panels ? 20 : 0)

# Names of tics are below the data if they fit there, in lines. Otherwise they are in the margin, each
# `lies` pixels high or, if that is 0, vertical. Numbers are to scale, unless they would touch.
if (!panels && exists('label_x')) {
    T[label_x] = wrap(T[label_x], 34)
    T[label_y] = wrap(T[label_y], 34)
    if (exists('label_y2')) { T[label_y2] = wrap(T[label_y2], 34) }
}
label_lines = exists('label_x') ? lines_in(T[label_x]) : 0
lines = 1
lying = 0
left = 0
hanging = 0
most = 0
do for [i = 1:tics] { most = larger(most, wide(T[name + i - 1])) }
if (tics && !scaled) {
    fit = 0
    wanted = page_width
    do for [page = 1:2] {
        if (!fit && (page == 1 || !lies)) {
            each = int(int(room * (inner(wanted) + 120) / slim) / tics)
            space = inner(wanted) / tics
            lines = 1
            fit = 1
            do for [i = 1:tics] {
                s = wrap(T[name + i - 1], each)
                n = lines_in(s)
                lines = larger(lines, n)
                if (!fits(s, each, space) || n > 3 || (each < 6 && n > 1)) { fit = 0 }
            }
            if (fit) { page_width = wanted }
            wanted = paper
        }
    }
    if (fit) {
        do for [i = name:name + tics - 1] { T[i] = wrap(T[i], each) }
    } else {
        lines = 1
        if (lies) {
            lying = 1
            left = most * 11 + 14 + (label_lines ? 4 + 20 * label_lines : 0)
            if (left > 0.42 * page_width) { page_width = paper }
            page_height = larger(page_height, tics * lies + 160)
        } else {
            hanging = most * 11
            page_width = paper
            around = around + hanging
        }
    }
}
# The horizontal axis extends beyond the outer tics, whose lines are side by side. x_low and x_high are its
# ends, as `along` of a value: the place of the value on the axis, which may be logarithmic.
if (!exists('log_x')) { log_x = 0 }
along(v) = log_x ? log10(v) : v
value_of(place) = log_x ? 10 ** place : place
if (tics && !lies) {
    span = tics > 1 ? along(X[name + tics - 1]) - along(X[name]) : 1
    x_least = span
    do for [i = name + 1:name + tics - 1] { x_least = smaller(x_least, along(X[i]) - along(X[i - 1])) }
    n = larger(0.03 * span + smaller(0.0085 * series * span, 0.2 * x_least), 0.06 * span)
    n = larger(n, smaller(0.2 * span, 0.5 * x_least))
    x_low = along(X[name]) - (scaled && tics > 1 ? n : 0.5)
    x_high = along(X[name + tics - 1]) + (scaled && tics > 1 ? n : 0.5)
}
if (scaled) {
    free = -1e9
    do for [i = name:name + tics - 1] {
        s = (along(X[i]) - x_low) / (x_high - x_low) * inner(page_width)
        n = 13 * wide(T[i]) / 2
        if (s - n > free) { free = s + n + 6 } else { T[i] = '' }
    }
}
if (!lying) { around = around + 20 * (lines - 1 + larger(label_lines - 1, 0)) }
page_height = larger(page_height, 2 * (80 + around))
outside = around + 100 # at most, below and above the data
if (direct) { page_height = larger(page_height, 14.0 * series + outside) }

# Equal frames, three side by side (two of four), each with its name above it. Titles of axes are at the edges of the page.
if (panels) {
    down = ceil(1.0 * panels / beside)
    frame_height = lying ? larger(150, tics * lies) : cells ? larger(150, 22.0 * series) : \
        panels < 3 ? 300 : 150
    numbers_above = right && lying ? 22 : 0
    frame_above = 24 + numbers_above
    frame_below = 24 + hanging + (lying ? 0 : 20 * (lines - 1))
    frames_top = larger(legend_above, 10) + numbers_above
    title_below = lying ? label_y : label_x
    title_left = lying ? label_x : label_y
    title_right = right && !lying ? label_y2 : cells ? label_scale : 0
    frames_bottom = frame_below + (lines_in(T[title_below]) ? 24 : 4)
    frames_height = down * (frame_above + frame_height) + (down - 1.0) * frame_below
    page_height = frames_top + frames_height + frames_bottom
    n = int((frames_height + 2 * smaller(frames_top, frames_bottom)) / 8) # letters in a line at an edge
    T[title_left] = wrap(T[title_left], n)
    if (title_right) {
        T[title_right] = wrap(T[title_right], n)
        right_room = right_room + 16 * larger(lines_in(T[title_right]) - 1, 0)
    }
    title_room = 16 * larger(lines_in(T[title_left]) - 1, 0)
}

# ---- The terminal: letters of 6.5 points. Pango has 96 points per inch, a page has 72. A PNG has 300
# dots per inch. An SVG has another size of points. ----
page(width, height) = format eq 'svg' ? sprintf( \
    "set terminal svg size %d,%d fixed noenhanced font 'sans-serif,13' linewidth 1.4", width, height) \
    : format eq 'pdf' ? sprintf("set terminal pdfcairo size %gcm,%gcm noenhanced font 'Sans,6.5' \
fontscale 0.75 linewidth 1", width * 8.4 / slim, height * 8.4 / slim) \
    : sprintf("set terminal pngcairo size %d,%d noenhanced font 'Sans,6.5' fontscale 3.125 linewidth \
4.1667 pointscale 4.1667", width * 992 / slim, height * 992 / slim)
dot = format eq 'svg' ? 1.5 : 1
small = format eq 'svg' ? ',11' : ',5.5'
eval page(page_width, page_height)
set output 'figure.'.format

set border lw 0.6
set tics nomirror scale 0.5
set format '%g'
set grid y lw 0.4 lc rgb '#d0d0d0' dt 1
set key tmargin left Left reverse samplen 1.8 spacing 1.0 height 0.2 horizontal maxcols key_columns
if (series < 2 || direct || cells) { unset key }

# ---- Series are distinguishable without color, by lightness and by point, whose cycles differ in length.
# Only values before training are hollow, with thin lines: the thick lines of a PNG would fill a hollow point.
# The cross is thin, so it is larger.
# The first `solid` series are lines with points: solid, after five of them dashed, after ten dashes and
# dots. The following ones are dotted. Series after the first `pointed` ones have no points, but a dash
# pattern of their own. Series number `marked` is gray: dashed, or hollow points (values before training). ----
dark = '#1a1a1a'
line = '#8c2d5a'
array colors[5] = ['#12336b', '#ef9b20', '#2f8f6b', '#8c2d5a', '#8a8a8a']
array points[6] = [7, 5, 9, 13, 11, 2]
array dashes[4] = [2, 3, 4, 5]
array bare[5] = [3, 2, 4, 6, 5]
set dashtype 6 (24, 6)
set dashtype 7 (10, 4)
set dashtype 8 (10, 3, 2, 3)
array turns[3] = [1, 7, 8]
if (!exists('solid')) { solid = series; dotted_too = 0 }
pointed = solid + dotted_too
if (!exists('marked')) { marked = 0 }
if (!exists('dashed')) { dashed = 0 }
color(i) = colors[(i - 1) % 5 + 1]
point(i) = points[(i - 1) % 6 + 1]
hollow(i) = point(i) - 1
bulk(i) = point(i) == 2 ? 1.4 : 1
dash(i) = dashes[(i - 1) % 4 + 1]
dots(i) = i == marked ? 2 : i <= solid ? turns[int((i - 1) / 5) % 3 + 1] : i <= pointed ? 3 : bare[(i - pointed - 1) % 5 + 1]
sort(i) = dashed && i > 1 ? dash(i - 1) : dots(i)
hue(i) = i == marked ? '#8a8a8a' : i == solid + 1 ? dark : color(i)
# gnuplot evaluates an empty loop once, with an index past the last name.
named(i) = i > series ? '' : T[row + i - 1]
if (legend) {
    unset key
    set tmargin at screen 1 - legend_above / page_height
    do for [i = 1:series] {
        x = 30 + legend_cell * int((i - 1) / legend)
        y = 1 - (13 + 14.0 * ((i - 1) % legend)) / page_height
        if (!(lineless || (untrained && i == marked))) {
            set arrow from screen x / page_width, y to screen (x + 26) / page_width, y nohead \
                lw 1.2 lc rgb hue(i) dt sort(i)
        }
        if ((i <= pointed && !dashed) || (untrained && i == marked)) {
            set label '' at screen (x + 13) / page_width, y point pt (i == marked ? 6 : point(i)) \
                ps 0.4 * dot * bulk(i) lc rgb hue(i)
        }
        set label T[row + i - 1] at screen (x + 32) / page_width, y left font small
    }
}

# ---- Axes. If names are in the margin, values are on the lower axis, where they have room. ----
labels(low, high, step) = 14 + 8.0 * larger(strlen(sprintf('%g', high)), strlen(sprintf('%g', low + step)))
sparse(low, high, step) = step * ceil(((high - low) / step + 1) * labels(low, high, step) \
    / (panels ? inner(page_width) : page_width - left - 30.0))
pad = exists('bar_at_low') && !exists('log_y') ? 0.025 * (left_high - left_low) : 0
pad_low = exists('bar_at_low') ? pad * bar_at_low : 0
pad_high = exists('bar_at_high') ? pad * bar_at_high : 0
if (tics && lying) {
    set lmargin at screen left / page_width
    if (!panels) {
        set label T[label_x] at screen 10.0 * label_lines / page_width, graph 0.5 center rotate
        set xlabel T[label_y] offset 0,0.3
    }
    set xrange [left_low - pad_low:left_high + pad_high]
    set xtics sparse(left_low, left_high, left_step)
    set yrange [tics + 0.6:0.4]
    set ytics () scale 0 font small
    do for [i = 1:tics] { set ytics add (tic(T[name + i - 1]) i) }
    set grid noy x
} else {
    if ((exists('left_low') || cells) && !panels) {
        set xlabel T[label_x] offset 0,(tics ? 1.3 - lines : 0.3)
        set ylabel T[label_y]
    }
    if (exists('left_low')) {
        set yrange [left_low - pad_low:left_high + pad_high]
        set ytics left_step
    }
    if (tics) {
        set xtics ()
        if (hanging) { set xtics rotate by 90 right font small }
        do for [i = name:name + tics - 1] { set xtics add (tic(T[i]) X[i]) }
        set bmargin lines + 0.6 + 1.2 * label_lines
        if (hanging > 0 && !panels) { # a label is below the names, at the end of the page
            set bmargin at screen (hanging + 12 + 20.0 * label_lines) / page_height
            set xlabel ''
            set label T[label_x] at graph 0.5, screen (20.0 * label_lines - 8) / page_height center
        }
        if (lies) { set xrange [0.4:tics + 0.6]; set xtics scale 0 } else { set xrange [value_of(x_low):value_of(x_high)] }
    }
}
# A logarithmic axis has tics at powers of ten, and between them if it is short. `first` to `last` are the
# values on a horizontal axis without names.
if (log_x) { set logscale x }
values = lying ? 'x' : 'y'
do for [axis in (exists('log_y') ? values : '').(log_x && !tics ? ' x' : '')] {
    low = axis eq values ? left_low : first / 1.1
    high = axis eq values ? left_high : last * 1.1
    eval sprintf('set logscale %s; set %srange [%.12g:%.12g]; set %stics ()', axis, axis, low, high, axis)
    digits_in = high / low < 8 ? '1 2 3 4 5 6 7 8 9' : high / low < 2000 ? '1 2 5' : '1'
    across = axis ne values # labels that would cover the one before are left out; free: its end
    free = -1e9
    if (across && high >= 10000) { set format x '%.0s%c' }
    do for [k = floor(log10(low) + 1e-9):ceil(log10(high))] {
        do for [m in digits_in] {
            n = m * 10.0 ** k
            if (n > low * (1 - 1e-9) && n < high * (1 + 1e-9)) {
                s = log10(n / low) / log10(high / low) * inner(page_width)
                half = 13 * wide(gprintf(high >= 10000 ? '%.0s%c' : '%g', n)) / 2
                shown = !across || s - half > free
                eval sprintf("set %stics add (%s%.12g)", axis, shown ? '' : "'' ", n)
                if (shown) { free = s + half + 6 }
            }
        }
    }
}

# ---- Names at the right ends of lines, in the order of their last values. The positions are the
# mean of two arrangements: one pushes names up from each other, and one pushes them down. ----
if (direct) {
    scale_y(v) = exists('log_y') ? log10(v) : v
    array Y[series]
    array P[series]
    array O[series]
    array U[series]
    step = 14.0 / (page_height - outside)
    do for [i = 1:series] {
        n = row + i - 1
        O[1 + (sum [k = row:row + series - 1] (X[k] < X[n] || (X[k] == X[n] && k < n)))] = i
        Y[i] = (scale_y(X[n]) - scale_y(left_low - pad_low)) \
            / (scale_y(left_high + pad_high) - scale_y(left_low - pad_low))
    }
    do for [k = 1:series] { U[k] = larger(Y[O[k]], k == 1 ? 0 : U[k - 1] + step) }
    do for [k = series:1:-1] { U[k] = smaller(U[k], k == series ? 1 : U[k + 1] - step) }
    do for [k = series:1:-1] { P[O[k]] = smaller(Y[O[k]], k == series ? 1 : P[O[k + 1]] - step) }
    do for [k = 1:series] { P[O[k]] = larger(P[O[k]], k == 1 ? 0 : P[O[k - 1]] + step) }
    do for [k = 1:series] { P[O[k]] = (P[O[k]] + U[k]) / 2 }
    set rmargin at screen 1 - right_room / page_width
    x = 1 - (right_room - gutter) / page_width
    do for [i = 1:series] {
        set arrow from graph 1, graph Y[i] to screen x, graph P[i] nohead lw 0.4 lc rgb hue(i)
        set arrow from screen x, graph P[i] to screen x + 26 / page_width, graph P[i] nohead lw 1.2 \
            lc rgb hue(i) dt sort(i)
        if (i <= pointed) {
            set label '' at screen x + 13 / page_width, graph P[i] point pt point(i) \
                ps 0.4 * dot * bulk(i) lc rgb hue(i)
        }
        set label T[row + i - 1] at screen x + 32 / page_width, graph P[i] left font small
    }
}

# ---- Frames: the template draws each one, from the blocks of data.dat from `base` on. ----
if (panels) {
    x = (lying ? left : 70) + row_names + title_room
    n = page_width - 18 - right_room - (lying ? 0 : numbers_right)
    y = (frames_bottom + frames_height / 2) / page_height
    set label T[title_below] at screen (x + n) / 2 / page_width, 10 / page_height center
    set label T[title_left] at screen 14 / page_width, y center rotate
    if (title_right) {
        set label T[title_right] at screen 1 - (14 + 16 * (lines_in(T[title_right]) - 1)) / page_width, y \
            center rotate textcolor rgb (cells ? '#000000' : line)
    }
    if (numbers_above) {
        set label T[label_y2] at screen (x + n) / 2 / page_width, \
            1 - (frames_top - 11) / page_height center textcolor rgb line
    }
    set multiplot layout down, beside margins screen x / page_width, n / page_width, \
        frames_bottom / page_height, 1 - (frames_top + frame_above) / page_height \
        spacing screen (lying || !tics ? 36.0 : 16.0) / page_width, (frame_below + frame_above) / page_height
}
do for [panel = 1:larger(panels, 1)] {
base = blocks * (panel - 1)
if (panel == 2) { unset label }
if (panel > 1) { unset arrow }
if (panels) {
    set label 9999 T[panel_name + panel - 1] at graph 0.5, graph 1 offset 0,0.7 + numbers_above / 18.0 center
    set format y (panel % beside == (beside > 1) ? '%g' : '')
    set format y2 (panel % beside == 0 || panel == panels ? '%g' : '')
    if (lying) { set ytics () }
    do for [i = 1:(lying ? tics : 0)] {
        set ytics add ((panel % beside == (beside > 1) ? tic(T[name + i - 1]) : '') i)
    }
}
