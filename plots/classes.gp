# Points for each row of the grid above every class, beside one another, or beside the names of
# classes that do not fit below; the dotted line is the measure's middle, dashed ones what rows were
# before training. data.dat, a series per row: class, value, lower and upper end of its bar; then as
# many of class and value before training, or none
# gnuplot takes letters to be wider than they are.
if (!legend) {
    set key horizontal maxcols columns width -0.2 * longest samplen (untrained ? 2 : 0.2) font small spacing 0.85
}
if (series == 1) { unset key }
apart(i) = (i - (drawn + 1) / 2.0) * 0.8 / drawn
size = drawn * classes > 40 ? 0.32 : 0.45
if (lying) {
    unset xlabel
    unset ylabel
    set label T[label_x] at screen (10 * labeled) / page_width, graph 0.5 center rotate
    set xlabel T[label_y]
    set xrange [left_low:left_high]
    set xtics sparse(left_low, left_high, left_step)
    set yrange [classes + 0.6:0.4]
    set ytics () scale 0 font small
    do for [i = 1:classes] { set ytics add (T[name + i - 1] i) }
    set grid noy x
    do for [i = 1:classes - 1] {
        set arrow from graph 0, first i + 0.5 to graph 1, first i + 0.5 nohead lw 0.4 \
            lc rgb '#e4e4e4' back
    }
    if (dotted) {
        set arrow from first middle, graph 0 to first middle, graph 1 nohead lw 0.8 dt 3 \
            lc rgb '#6b6b6b' back
    }
    plot for [i = 1:untrained] 'data.dat' index drawn + i - 1 using 2:($1 + apart(i)) with lines \
             lw 0.9 dt 2 lc rgb color(i) notitle, \
         for [i = 1:drawn] '' index i - 1 using 3:($1 + apart(i)):($4 - $3):(0) \
             with vectors heads size graph 0.004,90 lw size * 1.8 lc rgb color(i) notitle, \
         for [i = 1:drawn] '' index i - 1 using 2:($1 + apart(i)) with points \
             pt point(i) ps size * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1], \
         for [i = drawn + 1:series] keyentry with lines lw 0.9 dt 2 lc rgb hue(i) title named(i)
} else {
    set xlabel T[label_x] offset 0,1.3 - lines
    set ylabel T[label_y]
    set xrange [0.4:classes + 0.6]
    set xtics () scale 0
    do for [i = 1:classes] { set xtics add (T[name + i - 1] i) }
    set bmargin lines + 0.6 + 1.2 * labeled
    set yrange [left_low:left_high]
    set ytics left_step
    do for [i = 1:classes - 1] {
        set arrow from i + 0.5, graph 0 to i + 0.5, graph 1 nohead lw 0.4 lc rgb '#e4e4e4' back
    }
    if (dotted) {
        set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
            lc rgb '#6b6b6b' back
    }
    plot for [i = 1:untrained] 'data.dat' index drawn + i - 1 using ($1 + apart(i)):2 with lines \
             lw 0.9 dt 2 lc rgb color(i) notitle, \
         for [i = 1:drawn] '' index i - 1 using ($1 + apart(i)):3:(0):($4 - $3) \
             with vectors heads size graph 0.004,90 lw size * 1.8 lc rgb color(i) notitle, \
         for [i = 1:drawn] '' index i - 1 using ($1 + apart(i)):2 with points \
             pt point(i) ps size * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1], \
         for [i = drawn + 1:series] keyentry with lines lw 0.9 dt 2 lc rgb hue(i) title named(i)
}
