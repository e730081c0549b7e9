# A bar for each row of the grid, horizontal if the names do not fit below vertical bars (`lying`). It is a
# point if the axis does not begin at 0, because the length of a bar would then be misleading. With `right`,
# a line with points on a second axis. data.dat: position, value, lower and upper end of the error bar; then
# the same for the line
set style fill solid 1 border rgb dark
set x2range [0:1]
set y2range [0:1]
if (!right || lying || panels) { unset key } else { set key vertical }
across(a, b) = lying ? b : a # the coordinate on the lower axis of a row a and a value b
cap = lying ? 0.006 : 0.008
if (right && lying) {
    if (!panels) { set x2label T[label_y2] textcolor rgb line }
    set x2range [right_low:right_high]
    set x2tics sparse(right_low, right_high, right_step) textcolor rgb line
}
if (right && !lying) {
    if (!panels) { set y2label T[label_y2] offset -0.4,0 }
    set y2range [right_low:right_high]
    set y2tics right_step
}
aside = right && !lying # a second axis at the right; with names in the margin it is above
above = right && lying
plot 'data.dat' index base using (across($1, from_zero ? $2 / 2.0 : NaN)): \
         (across(from_zero ? $2 / 2.0 : NaN, $1)):(across(0.275, abs($2) / 2.0)): \
         (across(abs($2) / 2.0, 0.275)) with boxxyerror lw 0.6 lc rgb '#b3cde3' \
         title (from_zero ? T[key_left] : ''), \
     '' index base using (across($1, from_zero ? NaN : $2)):(across(from_zero ? NaN : $2, $1)) \
         with points pt 7 ps 0.55 * dot lc rgb '#2b6ca3' title (from_zero ? '' : T[key_left]), \
     '' index base using (across($1, $3)):(across($3, $1)):(across(0, $4 - $3)):(across($4 - $3, 0)) \
         with vectors heads size graph cap,90 lw 0.8 lc rgb dark notitle, \
     for [i = 1:aside] '' index base + 1 using 1:3:(0):($4 - $3) axes x1y2 with vectors heads \
         size graph cap,90 lw 0.8 lc rgb line notitle, \
     for [i = 1:aside] '' index base + 1 using 1:2 axes x1y2 with linespoints pt 5 ps 0.4 * dot lw 1.2 \
         lc rgb line title T[key_right], \
     for [i = 1:above] '' index base + 1 using 3:1:($4 - $3):(0) axes x2y1 with vectors heads \
         size graph cap,90 lw 0.8 lc rgb line notitle, \
     for [i = 1:above] '' index base + 1 using 2:1 axes x2y1 with linespoints pt 5 ps 0.4 * dot lw 1.2 \
         lc rgb line notitle
