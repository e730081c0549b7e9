# Cells in gray, white for the least and black for the largest value of the scale, with their values if
# there is room. data.dat, a block for each line of cells: x, value
set yrange [series + 0.5:0.5]
set xrange [0.5:tics + 0.5]
set ytics () scale 0 font small
set xtics scale 0
unset grid
if (!panels || panel % beside == (beside > 1)) {
    do for [i = 1:series] { set ytics add (tic(T[row + i - 1]) i) }
}
if (!panels) {
    set lmargin at screen (row_names + (lines_in(T[label_y]) ? 28.0 : 4.0)) / page_width
    set rmargin at screen 1 - right_room / page_width
}
set palette gray negative
set cbrange [scale_low:scale_high]
set cbtics scale_step
if (!panels) {
    set label T[label_scale] at screen 1 - 14 / page_width, graph 0.5 center rotate
}
set colorbox vertical user origin screen 1 - (right_room - (panels ? -8 : 10)) / page_width, screen 0.25 \
    size screen 12 / page_width, screen 0.6
if (panel > 1) { unset colorbox }
room_of_cell = inner(page_width) / tics
# Black on cells with a luminance above 0.179, white on others: the contrast is at least 4.5:1. The luminance is
# that of sRGB, and a gray palette has gamma 1.5.
shade(v) = larger(1 - (v - scale_low) / (scale_high - scale_low), 0) ** (1 / 1.5)
ink(v) = shade(v) > 0.461 ? 0x000000 : 0xffffff
# gnuplot crashes if all labels of a block are undefined. So columns are read as text, and a block without cells has
# an empty label at 0, outside of the frame.
number(s, other) = s eq 'NaN' ? other : real(s)
said(s) = s eq 'NaN' ? '' : sprintf(sprintf('%%.%df', digits), real(s))
array seen[series * tics] # cells with a value
do for [i = 1:series * tics] { seen[i] = 0 }
cell(i, x) = (i - 1) * tics + int(x)
set samples larger(tics, 2)
plot for [i = 1:series] 'data.dat' index base + i - 1 \
         using 1:(valid(2) ? (seen[cell(i, $1)] = 1, i) : NaN):(0.5):(0.5):2 with boxxyerror \
         fs solid 1 noborder fc palette notitle, \
     for [i = 1:(room_of_cell > 9 * (digits + 3) ? series : 0)] '' index base + i - 1 \
         using (number(strcol(1), 0)):(i):(said(strcol(2))):(ink(number(strcol(2), scale_low))) with labels \
         tc rgb variable font small notitle, \
     for [i = 1:series] '+' using ($0 >= tics || seen[cell(i, $0 + 1)] ? NaN : $0 + 1):(i):('–') \
         with labels font small notitle
