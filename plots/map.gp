# Weights as gray squares, in cells of 13 to 30 pixels. Each branch has a frame. The words are left of
# the first frame and below all frames. Rows are one below another or, if each has one frame and all have
# the same words, side by side. data.dat, a block for each frame: key, weight, key by key
frames = solid
rows = value(sprintf('row_%d', frames))
flows = frames == rows && rows > 1
most = 0
longest = 1
do for [r = 1:rows] {
    n = value(sprintf('pieces_%d', r))
    longest = larger(longest, n)
    flows = flows && n == pieces_1
    do for [i = 1:n] {
        s = T[value(sprintf('axis_%d', r)) + i - 1]
        most = larger(most, wide(s))
        if (flows && s ne T[axis_1 + i - 1]) { flows = 0 }
    }
}
words = ceil(most * 11) + 10
left = 14 + words
below = words + 6
piece = int((paper - left - 68) / 4 / longest)
piece = piece < 13 ? 13 : piece > 30 ? 30 : piece
array L[frames] # left, bottom and side of each frame
array B[frames]
array S[frames]
array N[frames] # its name
array R[rows]   # headings of rows
names = 22      # height of the names of frames
if (flows) {
    do for [p = 1:frames] {
        N[p] = wrap(T[value(sprintf('row_name_%d', p))], int(larger(pieces_1 * piece, 190) / 9))
        names = larger(names, 6 + 16 * lines_in(N[p]))
    }
}
y = 4
at = 0
do for [p = 1:frames] {
    r = value(sprintf('row_%d', p))
    side = 1.0 * piece * value(sprintf('pieces_%d', r))
    pitch = (flows ? larger(side, 190) : side) + 18
    room = larger(1, int((paper - left + 4) / pitch))
    new = !flows && (p == 1 || r != value(sprintf('row_%d', p - 1)))
    at = p == 1 || new ? 0 : (at + 1) % room
    if (new) {
        R[r] = y + 11
        y = y + 22
    }
    if (!flows) { N[p] = T[value(sprintf('frame_%d', p))] }
    if (at == 0) { y = y + names + side + below }
    L[p] = left + at * pitch
    B[p] = y - below
    S[p] = side
}
eval page(paper, y + 4)
set output 'figure.'.format
page_width = paper
page_height = y + 4.0
unset key
unset colorbox
unset grid
set palette gray negative
set cbrange [0:largest]
set border lw 0.6
set tics scale 0
if (!flows) {
    do for [r = 1:rows] {
        set label r T[value(sprintf('row_name_%d', r))] at screen 14 / page_width, \
            1 - R[r] / page_height left
    }
}
set multiplot
do for [p = 1:frames] {
    r = value(sprintf('row_%d', p))
    n = value(sprintf('pieces_%d', r))
    first = value(sprintf('axis_%d', r))
    set lmargin at screen L[p] / page_width
    set rmargin at screen (L[p] + S[p]) / page_width
    set tmargin at screen 1 - (B[p] - S[p]) / page_height
    set bmargin at screen 1 - B[p] / page_height
    if (p == 2) { unset label }
    set label 9999 N[p] at graph 0.5, graph 1 offset 0,lines_in(N[p]) - 0.3 center
    set xrange [0.5:n + 0.5]
    set yrange [n + 0.5:0.5]
    set xtics () rotate by 90 right font small
    unset ytics
    do for [i = 1:n] { set xtics add (tic(T[first + i - 1]) i) }
    if (L[p] == left) {
        set ytics () font small
        do for [i = 1:n] { set ytics add (tic(T[first + i - 1]) i) }
    }
    plot 'data.dat' index p - 1 using 1:(int($0) % n + 1):2 with image pixels notitle
}
unset multiplot
