# Weights as gray squares, in cells of 13 to 34 pixels. Each branch has a frame, with its scale at the
# right. Frames of a branch have the same scale for each name. The words are left of the first frame and below all frames. Rows are one below another or, if each has one frame and all have
# the same words, side by side. data.dat, a block for each frame: key, weight, key by key
frames = solid
rows = value(sprintf('row_%d', frames))
flows = frames == rows && rows > 1
most = 0
longest = 1
side_by_side = 1
n = 0
do for [p = 1:frames] {
    n = p == 1 || value(sprintf('row_%d', p)) != value(sprintf('row_%d', p - 1)) ? 1 : n + 1
    side_by_side = larger(side_by_side, n)
}
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
left = 42 + words
below = words + 10
beside_it = 50 # a scale, its numbers, and a gap
side_by_side = smaller(flows ? frames : side_by_side, 4)
page_width = frames == 1 || (side_by_side == 1 && longest <= 20) ? slim : paper
piece = int((page_width - left - beside_it * side_by_side) / side_by_side / longest)
piece = piece < 13 ? 13 : piece > 34 ? 34 : piece
if (left + beside_it + piece * longest > page_width) { page_width = paper }
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
    pitch = (flows ? larger(side, 190) : side) + beside_it
    room = larger(1, int((page_width - left + 4) / pitch))
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
y = y + 16
eval page(page_width, y + 4)
set output 'figure.'.format
page_height = y + 4.0
unset key
unset grid
set palette gray negative
set border lw 0.6
set tics scale 0
if (!flows) {
    do for [r = 1:rows] {
        set label r T[value(sprintf('row_name_%d', r))] at screen 14 / page_width, \
            1 - R[r] / page_height left
    }
}
set label T[label_x] at screen (left + (side_by_side * (pitch - beside_it)) / 2) / page_width, \
    12 / page_height center font small
set label T[label_y] at screen 14 / page_width, 1 - (B[1] - S[1] / 2) / page_height center rotate font small
set multiplot
do for [p = 1:frames] {
    r = value(sprintf('row_%d', p))
    pieces = value(sprintf('pieces_%d', r))
    first = value(sprintf('axis_%d', r))
    set lmargin at screen L[p] / page_width
    set rmargin at screen (L[p] + S[p]) / page_width
    set tmargin at screen 1 - (B[p] - S[p]) / page_height
    set bmargin at screen 1 - B[p] / page_height
    if (p == 2) { unset label }
    set label 9999 N[p] at graph 0.5, graph 1 offset 0,lines_in(N[p]) - 0.3 center
    set xrange [0.5:pieces + 0.5]
    set yrange [pieces + 0.5:0.5]
    set xtics () rotate by 90 right font small
    unset ytics
    do for [i = 1:pieces] { set xtics add (tic(T[first + i - 1]) i) }
    if (L[p] == left) {
        set ytics () font small
        do for [i = 1:pieces] { set ytics add (tic(T[first + i - 1]) i) }
    }
    n = 0
    do for [q = 1:frames] {
        if (T[value(sprintf('frame_%d', q))] eq T[value(sprintf('frame_%d', p))]) {
            n = larger(n, value(sprintf('largest_%d', q)))
        }
    }
    if (n == 0) { n = 1 }
    set cbrange [0:n]
    set cbtics (0, sprintf('%.2g', n) n) font small
    set colorbox vertical user origin screen (L[p] + S[p] + 5) / page_width, \
        screen 1 - B[p] / page_height size screen 8 / page_width, screen S[p] / page_height
    plot 'data.dat' index p - 1 using 1:(int($0) % pieces + 1):2 with image pixels notitle
}
unset multiplot
