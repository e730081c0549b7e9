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
said(v) = v > -1e300 ? sprintf(sprintf('%%.%df', digits), v) : '–'
ink(v) = v > -1e300 && (v - scale_low) / (scale_high - scale_low) > 0.5 ? 0xffffff : 0x000000
plot for [i = 1:series] 'data.dat' index base + i - 1 using 1:(i):(0.5):(0.5):2 with boxxyerror \
         fs solid 1 noborder fc palette notitle, \
     for [i = 1:(room_of_cell > 9 * (digits + 3) ? series : 0)] '' index base + i - 1 \
         using 1:(i):(said($2)):(ink($2)) with labels tc rgb variable font small notitle
