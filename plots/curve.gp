# Learning curves. Each row has a line with points on the left axis, over a band of the deviation of its
# seeds. With `right`, it also has a thin dashed line with small points on the right axis. data.dat has a
# block per row: step, value, lower and upper end of the deviation. The blocks of the right axis follow.
if (!tics && !log_x) {
    set xrange [0:last * (direct ? 1 : 1.03)] # lines to names begin at the last points
    set xtics step_step * (panels > 1 ? 2 : 1)
    if (last >= 10000) { set format x '%.0s%c' }
}
set y2range [0:1]
if (right) {
    if (!panels) { set y2label T[label_y2] offset -0.4,0 }
    set y2range [right_low:right_high]
    set y2tics right_step
}
if (series == 1 && !legend && !panels) { set key on }
plot for [i = 1:(shaded ? solid : 0)] 'data.dat' index base + i - 1 using 1:3:4 with filledcurves \
         fc rgb color(i) fs transparent solid 0.16 noborder notitle, \
     for [i = 1:(right ? solid : 0)] 'data.dat' index base + solid + i - 1 using 1:2 axes x1y2 with lines lw 1 \
         dt dash(i) lc rgb color(i) notitle, \
     for [i = 1:(right ? solid : 0)] 'data.dat' index base + solid + i - 1 using 1:2 axes x1y2 with points \
         pt point(i) ps 0.2 * dot * bulk(i) lc rgb color(i) notitle, \
     for [i = 1:solid] 'data.dat' index base + i - 1 using 1:2 with linespoints pt point(i) \
         ps 0.4 * dot * bulk(i) lw 1.2 dt dots(i) lc rgb color(i) title T[row + i - 1]
