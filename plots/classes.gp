# Points for each row of the grid above every class, side by side, or next to the names of classes that
# do not fit below. A dotted line is at `middle`. The rows' values before training are dashed lines.
# data.dat, a block per row: class, value, lower and upper end of the error bar; then the blocks of the
# values before training.
# gnuplot takes letters to be wider than they are.
longest = 0
do for [i = 1:series] { longest = larger(longest, strlen(T[row + i - 1])) }
if (series > 1 && !legend) {
    set key maxcols larger(1, 54 / (longest + 5)) width -0.2 * longest font small spacing 0.85 \
        samplen (untrained ? 2 : 0.2)
}
apart(i) = (i - (pointed + 1) / 2.0) * 0.8 / pointed
size = pointed * tics > 40 ? 0.32 : 0.45
if (lying) {
    do for [i = 1:tics - 1] {
        set arrow from graph 0, first i + 0.5 to graph 1, first i + 0.5 nohead lw 0.4 \
            lc rgb '#e4e4e4' back
    }
    if (dotted) {
        set arrow from first middle, graph 0 to first middle, graph 1 nohead lw 0.8 dt 3 \
            lc rgb '#6b6b6b' back
    }
    plot for [i = 1:untrained] 'data.dat' index pointed + i - 1 using 2:($1 + apart(i)) \
             with lines lw 0.9 dt 2 lc rgb color(i) notitle, \
         for [i = 1:pointed] 'data.dat' index i - 1 using 3:($1 + apart(i)):($4 - $3):(0) \
             with vectors heads size graph 0.004,90 lw size * 1.8 lc rgb color(i) notitle, \
         for [i = 1:pointed] '' index i - 1 using 2:($1 + apart(i)) with points \
             pt point(i) ps size * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1], \
         for [i = pointed + 1:series] keyentry with lines lw 0.9 dt 2 \
             lc rgb (pointed == 1 ? color(1) : hue(i)) title named(i)
} else {
    do for [i = 1:tics - 1] {
        set arrow from i + 0.5, graph 0 to i + 0.5, graph 1 nohead lw 0.4 lc rgb '#e4e4e4' back
    }
    if (dotted) {
        set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
            lc rgb '#6b6b6b' back
    }
    plot for [i = 1:untrained] 'data.dat' index pointed + i - 1 using ($1 + apart(i)):2 \
             with lines lw 0.9 dt 2 lc rgb color(i) notitle, \
         for [i = 1:pointed] 'data.dat' index i - 1 using ($1 + apart(i)):3:(0):($4 - $3) \
             with vectors heads size graph 0.004,90 lw size * 1.8 lc rgb color(i) notitle, \
         for [i = 1:pointed] '' index i - 1 using ($1 + apart(i)):2 with points \
             pt point(i) ps size * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1], \
         for [i = pointed + 1:series] keyentry with lines lw 0.9 dt 2 \
             lc rgb (pointed == 1 ? color(1) : hue(i)) title named(i)
}
