/* Tests core/base/path.h: folders that stay open do not outlive what their paths lead to. */
#include "tests/support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>

#include "core/base/path.h"

static const char *const root = "build/tmp/path_test";

static const char *at(const char *name)
{
    return arena_print(&arena, "%s/%s", root, name);
}

/* Returns the first byte of a file, or -errno. */
static int first_byte(const char *name)
{
    char byte;
    const int file = path_open(at(name), O_RDONLY);
    if (file < 0) return -errno;
    assert_int_equal(read(file, &byte, 1), 1);
    close(file);
    return byte;
}

static int files_open(void)
{
    int count = 0;
    DIR *folder = file_list("/proc/self/fd");
    while (file_next(folder)) count++;
    return count;
}

BEFORE(each)
{
    file_remove_tree(root);
    file_make_folder(at("a/inner"));
    file_make_folder(at("b/inner"));
    file_write(at("a/inner/f"), "1", 1);
    file_write(at("b/inner/f"), "2", 1);
    path_guard(root);
    assert_int_equal(first_byte("a/inner/f"), '1');
}

TEST(a_folder_that_took_another_name_is_not_found_under_the_old_one)
{
    file_rename(at("a"), at("moved"));
    assert_int_equal(first_byte("a/inner/f"), -ENOENT);
    assert_int_equal(first_byte("moved/inner/f"), '1');
    file_rename(at("b"), at("a"));
    assert_int_equal(first_byte("a/inner/f"), '2');
}

TEST(a_folder_that_was_made_again_is_another_one)
{
    file_remove_tree(at("a"));
    assert_int_equal(first_byte("a/inner/f"), -ENOENT);
    file_make_folder(at("a/inner"));
    assert_int_equal(first_byte("a/inner/f"), -ENOENT);
    file_write(at("a/inner/f"), "3", 1);
    assert_int_equal(first_byte("a/inner/f"), '3');
}

TEST(a_link_in_the_place_of_a_folder_is_not_followed)
{
    struct stat info;
    for (int deep = 0; deep < 2; deep++) {
        const char *name = deep ? "a/inner" : "a";
        assert_int_equal(first_byte("a/inner/f"), '1');
        file_rename(at(name), at("moved"));
        assert_int_equal(symlink(deep ? "../b/inner" : "b", at(name)), 0);
        assert_int_equal(first_byte("a/inner/f"), -ELOOP);
        assert_false(path_stat(at("a/inner/f"), &info));
        assert_int_equal(errno, ELOOP);
        assert_int_equal(unlink(at(name)), 0);
        file_rename(at("moved"), at(name));
    }
}

TEST(the_folder_above_is_refused)
{
    assert_int_equal(first_byte("a/../b/inner/f"), -EXDEV);
    assert_int_equal(first_byte("a/inner/.."), -EXDEV);
    assert_int_equal(first_byte("a//inner/./f"), '1');
}

TEST(few_folders_stay_open)
{
    enum { FOLDERS = 100, MOST = 20 };
    const int before = files_open();
    for (int i = 0; i < FOLDERS; i++) {
        const char *name = arena_print(&arena, "many/%d/f", i), byte = (char)('0' + i % 10);
        file_make_folder(at(arena_print(&arena, "many/%d", i)));
        file_write(at(name), &byte, 1);
    }
    for (int i = 0; i < FOLDERS; i++)
        assert_int_equal(first_byte(arena_print(&arena, "many/%d/f", i)), '0' + i % 10);
    assert_true(files_open() < before + MOST);
}

static void *read_often(void *wrong)
{
    enum { TIMES = 3000 };
    char path[64];
    for (int i = 0; i < TIMES; i++) {
        struct stat info;
        snprintf(path, sizeof path, "%s/many/%d/f", root, i % 40);
        if (!path_stat(path, &info)) ++*(int *)wrong;
    }
    return NULL;
}

TEST(threads_share_the_open_folders)
{
    enum { FOLDERS = 40, THREADS = 4 };
    pthread_t thread[THREADS];
    int wrong[THREADS] = {0};
    for (int i = 0; i < FOLDERS; i++) {
        file_make_folder(at(arena_print(&arena, "many/%d", i)));
        file_write(at(arena_print(&arena, "many/%d/f", i)), "x", 1);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, read_often, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}
