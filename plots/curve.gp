# Learning curves: for each row a solid line with points on the left axis and a thin one with open
# points on the right axis. data.dat, two series per row: step, value (left, then right)
set xlabel T[label_x]
set xrange [0:*]
set xtics autofreq
if (large) { set format x '%.0s%c' }
set ylabel T[label_y] offset 0.8,0
set yrange [left_low:left_high]
set ytics left_step
if (right) {
    set y2label T[label_y2] offset -0.8,0
    set y2range [right_low:right_high]
    set y2tics right_step
}
plot for [i = 1:series] 'data.dat' index 2 * i - 2 using 1:2 with linespoints \
         pt point[of(i)] ps 0.35 lw 1.3 lc rgb color[of(i)] title T[name + i - 1], \
     for [i = 1:series] '' index 2 * i - 1 using 1:2 axes x1y2 with linespoints \
         pt point[of(i)] ps 0.2 lw 0.8 dt 2 lc rgb color[of(i)] notitle
