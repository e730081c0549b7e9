# Points for each row of the grid above every class, beside one another; the dotted line is the
# measure's middle. data.dat, a series per row: class, value, lower and upper end of its bar
set xlabel T[label_x] offset 0,1.3 - lines
set ylabel T[label_y]
set xrange [0.4:classes + 0.6]
set xtics () scale 0
do for [i = 1:classes] { set xtics add (T[name + i - 1] i) }
if (slanted) {
    set xtics rotate by 35 right
    unset xlabel
    set label T[label_x] at graph 0.5, screen 0.04 center
    set bmargin 1 + 0.3 * slanted + (labeled ? 1.2 : 0)
} else {
    set bmargin lines + (labeled ? 1.8 : 0.6)
}
set yrange [left_low:left_high]
set ytics left_step
# gnuplot takes letters to be wider than they are.
small = dot > 1 ? ',11' : ',5.5'
set key horizontal maxcols columns width -0.2 * longest samplen 0.2 font small spacing 0.85
if (series == 1) { unset key }
apart(i) = (i - (series + 1) / 2.0) * 0.8 / series
size = series * classes > 40 ? 0.32 : 0.45
do for [i = 1:classes - 1] {
    set arrow from i + 0.5, graph 0 to i + 0.5, graph 1 nohead lw 0.4 lc rgb '#e4e4e4' back
}
if (dotted) {
    set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
        lc rgb '#6b6b6b' back
}
plot for [i = 1:series] 'data.dat' index i - 1 using ($1 + apart(i)):3:(0):($4 - $3) \
         with vectors heads size graph 0.004,90 lw size * 1.8 lc rgb color(i) notitle, \
     for [i = 1:series] '' index i - 1 using ($1 + apart(i)):2 with points \
         pt point(i) ps size * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1]
