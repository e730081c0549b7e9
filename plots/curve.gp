# Learning curves: for each row a solid line with points on the left axis, on the deviation of its
# seeds, and a thin dashed one on the right axis, with small points if one of these has a single step.
# data.dat, two series per row: step, value (left, then right), its deviation
set xlabel T[label_x]
set xrange [0:last * 1.03]
set xtics step_step
if (large) { set format x '%.0s%c' }
set ylabel T[label_y]
set yrange [left_low:left_high]
set ytics left_step
if (!legend) { set key horizontal maxcols key_columns }
if (right) {
    set y2label T[label_y2] offset -0.4,0
    set y2range [right_low:right_high]
    set y2tics right_step
    plot for [i = 1:shaded] 'data.dat' index 2 * i - 2 using 1:($2 - $3):($2 + $3) with filledcurves \
             fc rgb color(i) fs transparent solid 0.16 noborder notitle, \
         for [i = 1:series] 'data.dat' index 2 * i - 1 using 1:2 axes x1y2 with lines lw 1 \
             dt dash(i) lc rgb color(i) notitle, \
         for [i = 1:single] '' index 2 * i - 1 using 1:2 axes x1y2 with points pt point(i) \
             ps 0.2 * dot * bulk(i) lc rgb color(i) notitle, \
         for [i = 1:series] '' index 2 * i - 2 using 1:2 with linespoints pt point(i) \
             ps 0.4 * dot * bulk(i) lw 1.2 lc rgb color(i) title T[name + i - 1]
} else {
    plot for [i = 1:shaded] 'data.dat' index 2 * i - 2 using 1:($2 - $3):($2 + $3) with filledcurves \
             fc rgb color(i) fs transparent solid 0.16 noborder notitle, \
         for [i = 1:series] 'data.dat' index 2 * i - 2 using 1:2 with linespoints pt point(i) \
             ps 0.4 * dot * bulk(i) lw 1.2 lc rgb color(i) title T[name + i - 1]
}
